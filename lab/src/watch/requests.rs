//! Requests of viewers of a world (HTTP endpoints): a golem, another pace, a branch, a directive. Each body is parsed strictly and refused
//! with a line. Only some keys may be changed, because a viewer of a shared address is no owner of the machine. The token, and bodies above
//! 4,096 bytes, are refused by the server before a request gets here. A sweep's page has none of these routes.

use super::branches::{BranchWish, Refusal};
use super::pace::Wish;
use super::parts::lines;
use super::stage::Stage;
use crate::io::error::Result;
use crate::io::text::View as _;
use crate::run::inspect;
use crate::run::run_folder::RunFolder;
use crate::run::steering::Directive;
use actix_web::web::{Data, Json, Path, ServiceConfig};
use actix_web::{HttpResponse, web};
use morta_base::{DreamId, GolemId};
use serde_json::json;
use std::sync::Arc;

/// Last decisions of a golem that the page shows (our choice: more than the command line's default, because a page can be scrolled).
const LIFE_LINES_MAX: usize = 40;

/// The HTTP routes that a world has besides its page and its news (endpoint registration).
pub(super) fn routes(stage: Arc<Stage>) -> impl Fn(&mut ServiceConfig) + Clone + Send + 'static {
    move |config| {
        config
            .app_data(Data::from(Arc::clone(&stage)))
            .route("/golem/{id}", web::get().to(golem))
            .route("/control", web::post().to(control))
            .route("/branch", web::post().to(branch))
            .route("/direct", web::post().to(direct));
    }
}

async fn control(stage: Data<Stage>, wish: Json<Wish>) -> HttpResponse {
    match stage.follow(wish.into_inner()) {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(why) => HttpResponse::BadRequest().body(why),
    }
}

/// Passes a directive on and doesn't wait for its tick, which a paused world may never begin: the answer is in a later state.
async fn direct(stage: Data<Stage>, directive: Json<Directive>) -> HttpResponse {
    match stage.direct(directive.into_inner()) {
        Ok(()) => HttpResponse::Accepted().finish(),
        Err(why) => HttpResponse::Conflict().body(why),
    }
}

async fn branch(stage: Data<Stage>, wish: Json<BranchWish>) -> HttpResponse {
    let stage = stage.into_inner();
    let news = Arc::clone(&stage);
    let lived = stage.scene().lived();
    match stage.branches.ask(stage.steered_origin(), lived, wish.into_inner(), move || news.touch()) {
        Ok(()) => {
            stage.touch();
            HttpResponse::Accepted().finish()
        }
        Err(Refusal::NotNow(why)) => HttpResponse::Conflict().body(why),
        Err(Refusal::OutOfReach(why)) => HttpResponse::Forbidden().body(why),
        Err(Refusal::Mistaken(why)) => HttpResponse::BadRequest().body(why),
    }
}

async fn golem(stage: Data<Stage>, id: Path<String>) -> HttpResponse {
    let Ok(id) = id.parse::<GolemId>() else {
        return HttpResponse::BadRequest().body("a golem is named like L7.G2");
    };
    let Some(mut description) = stage.scene().golem(id) else {
        return HttpResponse::NotFound().body("nobody of this name has been born");
    };
    if let Some(run) = stage.run() {
        let texts = match web::block(move || inspected(&run, id)).await {
            Ok(Ok(texts)) => texts,
            Ok(Err(error)) => vec![("why not", vec![error.to_string()])],
            Err(_) => Vec::new(),
        };
        let markup = |(name, text): &(&str, Vec<String>)| format!("<h3>inspect: {name}</h3>{}", lines(text));
        description["parts"]["golem-inspected"] = json!(texts.iter().map(markup).collect::<String>());
    }
    HttpResponse::Ok().json(description)
}

/// What `morta inspect` says of a golem, its playbook and its last dream.
fn inspected(run: &std::path::Path, id: GolemId) -> Result<Vec<(&'static str, Vec<String>)>> {
    let run = RunFolder::open(run)?;
    let mut texts = vec![
        ("golem", inspect::golem::look(&run, id, LIFE_LINES_MAX)?.lines()),
        ("playbook", inspect::playbook::look(&run, id)?.lines()),
    ];
    let dreams = inspect::register::life(&run, id)?.dreams;
    if let Some(number) = dreams.checked_sub(1)
        && let Ok(dream) = inspect::dream::look(&run, DreamId { golem: id, number }, false)
    {
        texts.push(("last dream", dream.lines()));
    }
    Ok(texts)
}
