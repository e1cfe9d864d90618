//! Errors of the laboratory, sorted by what a caller can do: mend the input (exit code 2), go on later (130), or report a failure (1, all
//! other variants). The enum is built with thiserror; `Context` adds an error context as anyhow does, because a bare `No such file` doesn't
//! say which file. A context hides neither a mistake nor a stop: `mistakes` and `stopped_line` look through it.

use crate::io::text::{folded, one_line};
use morta_base::Problem;
use std::fmt::Display;
use std::path::Path;

/// What a function of the laboratory returns (result type alias).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error type of the laboratory; its variant decides the exit code of a command: a user's error, a stop, or a failure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked can't be done as asked: each line names the place, the value and the remedy. The command line ends with code 2.
    #[error("{}", .0.join("\n"))]
    Invalid(Vec<String>),
    /// It was stopped before its end, and can be resumed where the line says so. The command line ends with code 130.
    #[error("{0}")]
    Stopped(String),
    /// It failed underway, for a reason that no other variant holds.
    #[error("{0}")]
    Failed(String),
    /// Another error, and what was being done when it came up.
    #[error("{doing}")]
    During {
        /// What was being done.
        doing: String,
        /// What came up.
        source: Box<Self>,
    },
    /// A file or folder can't be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// JSON that isn't what it should be.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A CSV file that can't be read or written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A Parquet file that can't be read or written.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// A shared service of a world failed.
    #[error(transparent)]
    World(#[from] morta_engine::world::ServiceError),
    /// A world can't be taken up again.
    #[error(transparent)]
    Resume(#[from] morta_engine::world::ResumeError),
    /// Actors could not finish a run.
    #[error(transparent)]
    Run(#[from] morta_actors::RunError),
    /// The Lethe's store failed.
    #[error(transparent)]
    Store(#[from] morta_engine::lethe::StoreError),
    /// A folder with a Lethe can't be used.
    #[error(transparent)]
    LetheFolder(#[from] morta_actors::LetheFolderError),
    /// A statistic can't be computed from what was given.
    #[error(transparent)]
    Stats(#[from] morta_stats::StatsError),
}

impl Error {
    /// Makes a user error, i.e. a mistake that the caller can mend, from one line.
    pub fn invalid(line: impl Into<String>) -> Self {
        Self::Invalid(vec![one_line(line.into())])
    }

    /// Makes a user error with its place, a file, folder or something else with a name: the line begins with it.
    pub fn at(place: impl AsRef<Path>, why: impl Display) -> Self {
        Self::invalid(format!("{}: {why}", place.as_ref().display()))
    }

    /// Makes a user error from several mistakes, a line for each.
    pub fn all(lines: impl IntoIterator<Item = String>) -> Self {
        Self::Invalid(lines.into_iter().map(one_line).collect())
    }

    /// Makes a parse error of a TOML file with its line number: the first line, where the parser doesn't know it.
    pub fn in_toml(path: &Path, text: &str, error: &toml::de::Error) -> Self {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        Self::invalid(format!("{}:{line}: {}", path.display(), folded(error.message())))
    }

    /// Ends a validation: a user error where there are lines; otherwise nothing is wrong.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there are lines.
    pub fn if_any(lines: Vec<String>) -> Result<()> {
        if lines.is_empty() { Ok(()) } else { Err(Self::all(lines)) }
    }

    /// Makes the error of a failure at run time, from one line.
    pub fn failed(line: impl Into<String>) -> Self {
        Self::Failed(one_line(line.into()))
    }

    /// Makes the error of a cancellation, from one line that says what is left behind.
    pub fn stopped(line: impl Into<String>) -> Self {
        Self::Stopped(line.into())
    }

    /// The message of a cancellation; none when it ended for another reason.
    pub fn stopped_line(&self) -> Option<&str> {
        match self {
            Self::Stopped(line) => Some(line),
            Self::During { source, .. } => source.stopped_line(),
            _ => None,
        }
    }

    /// The messages of an invalid request (user errors), one for each mistake; none for another error.
    pub fn mistakes(&self) -> Option<&[String]> {
        match self {
            Self::Invalid(lines) => Some(lines),
            Self::During { source, .. } => source.mistakes(),
            _ => None,
        }
    }

    /// Writes the error with its chain of causes, each after a colon, in one line.
    pub fn in_full(&self) -> String {
        let causes = std::iter::successors(std::error::Error::source(self), |cause| cause.source());
        one_line(causes.fold(self.to_string(), |message, cause| format!("{message}: {cause}")))
    }
}

/// Wraps an error with its context, i.e. what was being done (extension trait).
pub trait Context<T> {
    /// Adds these words to the error (error context).
    ///
    /// # Errors
    /// When there was an error before.
    fn context(self, doing: impl Display) -> Result<T>
    where
        Self: Sized,
    {
        self.with_context(|| doing)
    }

    /// Adds words to the error that are only made when they are needed (lazy error context).
    ///
    /// # Errors
    /// When there was an error before.
    fn with_context<D: Display>(self, doing: impl FnOnce() -> D) -> Result<T>;
}

impl<T, E: Into<Error>> Context<T> for std::result::Result<T, E> {
    fn with_context<D: Display>(self, doing: impl FnOnce() -> D) -> Result<T> {
        self.map_err(|error| Error::During { doing: doing().to_string(), source: Box::new(error.into()) })
    }
}

/// Adds the file path to an error that the caller can mend (extension trait).
pub trait At<T> {
    /// The reason becomes a mistake that begins with the name of the file or folder in which it is (user error with its place).
    ///
    /// # Errors
    /// [`Error::Invalid`] when there was a reason.
    fn at(self, place: impl AsRef<Path>) -> Result<T>;
}

impl<T, Why: Display> At<T> for std::result::Result<T, Why> {
    fn at(self, place: impl AsRef<Path>) -> Result<T> {
        self.map_err(|why| Error::at(place, why))
    }
}

/// The refusals of a configuration, a line for each.
impl From<Vec<Problem>> for Error {
    fn from(problems: Vec<Problem>) -> Self {
        Self::all(problems.iter().map(ToString::to_string))
    }
}

/// Of what isn't there: the words are the whole error.
impl<T> Context<T> for Option<T> {
    fn with_context<D: Display>(self, doing: impl FnOnce() -> D) -> Result<T> {
        self.ok_or_else(|| Error::Failed(doing().to_string()))
    }
}
