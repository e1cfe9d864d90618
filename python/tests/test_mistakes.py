"""The mistakes of `mistakes.py` are refused, each with a line that says what would be right, and none by a panic."""

import io

import mistakes


def test_mistakes_are_refused_and_said():
    found = io.StringIO()
    mistakes.table(found)
    rows = found.getvalue().splitlines()
    assert len(rows) == len(mistakes.CALLS.strip().splitlines()) >= 69
    # What is lived was no mistake, and a bare name or number is no explanation.
    unsaid = [row for row in rows if "nothing: it is lived" in row or len(row.rsplit("``", 2)[1]) < 25]
    assert not unsaid, unsaid
