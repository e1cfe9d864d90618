//! `morta report DIR`: a run, a sweep or a load test as one self-contained HTML page with inline SVG plots and tables, `report.html` in the
//! folder; the kind is known by the folder's files. It computes from what is stored and runs no world. `--markdown` prints a sweep's
//! analysis instead. Everything is in one file, so that it can be mailed. `Args` has the CLI arguments for report generation.

use super::make_folder;
use morta_console::failure::UserError;
use morta_console::output;
use morta_lab::Laboratory;
use morta_lab::report::ReportPage;
use morta_lab::whole_file;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta report`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of a run, of a sweep or of a load test.
    dir: PathBuf,

    /// The page. Left out: report.html in the folder; a page that is there already is replaced.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write every plot as a file of its own too, into this folder: NAME.svg, and its data as NAME.csv.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Print what a sweep came to as a section of a Markdown page, and write no page.
    #[arg(long, conflicts_with_all = ["out", "svg", "json"])]
    markdown: bool,

    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs the command: writes the HTML report.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    if args.markdown {
        if !args.dir.join(morta_lab::sweep_folder::MANIFEST).is_file() {
            return Err(UserError::new(format!(
                "--markdown {}: this is no folder of a sweep: `morta inspect` tells of a run",
                args.dir.display()
            )));
        }
        output::line(morta_lab::report::analysis::markdown(&args.dir, laboratory)?.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    let out = args.out.clone().unwrap_or_else(|| args.dir.join("report.html"));
    let report = match args.dir.join(morta_load::loadtest::RESULT).exists() {
        true => morta_load::page::report(&args.dir)?,
        false => ReportPage::from_folder(&args.dir)?,
    };
    write(&out, report.html.as_bytes())?;
    let mut plots = Vec::new();
    if let Some(folder) = &args.svg {
        make_folder("--svg", folder)?;
        for figure in &report.figures {
            let path = folder.join(format!("{}.svg", figure.name));
            write(&path, figure.svg.as_bytes())?;
            write(&path.with_extension("csv"), figure.csv.as_bytes())?;
            plots.push(path);
        }
    }
    if args.json {
        let object = serde_json::json!({
            "report": out,
            "kind": report.kind,
            "bytes": report.html.len(),
            "figures": report.figures.iter().map(|figure| &figure.name).collect::<Vec<_>>(),
            "svg": plots,
            "notes": report.notes,
        });
        return output::json(&object);
    }
    report.notes.iter().try_for_each(|note| output::line(format!("note         {note}")))?;
    if let Some(folder) = &args.svg {
        output::line(format!("plots        {}: {} files", folder.display(), plots.len()))?;
    }
    output::line(format!("written to   {}", out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Replaces a file as a whole. `morta stats --report` writes its page by it too.
pub(super) fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let shown = path.display();
    if path.is_dir() {
        return Err(UserError::new(format!("{shown}: this is a folder: name a file")));
    }
    if path.file_name().is_none() {
        return Err(UserError::new(format!("{shown}: this names no file")));
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(UserError::new(format!(
            "{shown}: there is no folder {}: make it first",
            folder.display()
        )));
    }
    Ok(whole_file::replace(path, content)?)
}
