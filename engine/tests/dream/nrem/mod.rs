mod triage;
