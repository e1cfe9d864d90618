//! The Styx Lethe actor, over a sled tree.

use crate::guard;
use crate::message::{Deliver, Report};
use actix::{Actor, Context, Handler, Recipient};
use morta_engine::base::{BloodstainId, LetterId};
use morta_engine::lethe::{Bloodstain, BloodstainStore, LetheQuery, StoreError, Testament};
use morta_engine::world::{FaultTarget, LetheDesk, Plan};
use std::path::Path;
use std::sync::Arc;

/// One barrier's letters at a time.
const MAILBOX_CAPACITY: usize = 2;

/// What newborns ask, and what the dead leave.
pub type LetheMail = (Vec<(LetterId, LetheQuery)>, Vec<(LetterId, Testament)>);

/// Keeps bloodstains and finds them again.
pub struct StyxLethe {
    pub desk: LetheDesk<SledStore>,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

impl Actor for StyxLethe {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Deliver<LetheMail>> for StyxLethe {
    type Result = ();

    fn handle(&mut self, Deliver { tick, letters }: Deliver<LetheMail>, _: &mut Self::Context) {
        let (desk, plan) = (&mut self.desk, &self.plan);
        guard::report("the Styx Lethe", &self.conductor, || {
            guard::strike(plan, FaultTarget::StyxLethe, tick);
            let (draws, testaments) = letters;
            let deposits = !testaments.is_empty();
            let report = desk.step(tick, &draws, testaments).map_err(|error| error.to_string())?;
            if deposits {
                desk.store_mut().flush().map_err(|error| error.to_string())?;
            }
            Ok(Report::StyxLethe { answers: report.answers, bloodstains: desk.len() })
        });
    }
}

/// Bloodstains in a sled database: keys in the order of identities, values with a checksum in front.
#[derive(Debug)]
pub struct SledStore {
    tree: sled::Db,
}

/// Bytes of the BLAKE3 hash kept with each value: enough to notice any damage.
const CHECKSUM: usize = 8;

impl SledStore {
    /// Opens, or makes, the database in a folder; without a folder one that is gone when it is closed.
    ///
    /// # Errors
    /// When sled can't.
    pub fn open(folder: Option<&Path>) -> Result<Self, StoreError> {
        let config = match folder {
            Some(folder) => sled::Config::new().path(folder),
            None => sled::Config::new().temporary(true),
        };
        // Records are small and few; sled's default cache of a gigabyte would be most of the process.
        let config = config.cache_capacity(CACHE_BYTES).flush_every_ms(None);
        Ok(Self { tree: config.open().map_err(failed)? })
    }

    /// Makes everything that was put safe on disk.
    ///
    /// # Errors
    /// When sled can't.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.tree.flush().map(drop).map_err(failed)
    }
}

const CACHE_BYTES: u64 = 64 * 1024 * 1024;

impl BloodstainStore for SledStore {
    fn put(&mut self, bloodstain: &Bloodstain) -> Result<(), StoreError> {
        let body = postcard::to_allocvec(bloodstain).map_err(failed)?;
        let mut value = checksum(&body).to_vec();
        value.extend(body);
        self.tree.insert(key(bloodstain.id), value).map(drop).map_err(failed)
    }

    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError> {
        let Some(value) = self.tree.get(key(id)).map_err(failed)? else { return Ok(None) };
        let damaged = || StoreError(format!("bloodstain {id} is damaged on disk"));
        let (stored, body) = value.split_at_checked(CHECKSUM).ok_or_else(damaged)?;
        if stored != checksum(body) {
            return Err(damaged());
        }
        postcard::from_bytes(body).map(Some).map_err(|_| damaged())
    }

    fn remove(&mut self, id: BloodstainId) -> Result<(), StoreError> {
        self.tree.remove(key(id)).map(drop).map_err(failed)
    }
}

fn key(id: BloodstainId) -> [u8; 12] {
    let mut key = [0; 12];
    key[..8].copy_from_slice(&id.golem.packed().to_be_bytes());
    key[8..].copy_from_slice(&id.number.to_be_bytes());
    key
}

fn checksum(body: &[u8]) -> [u8; CHECKSUM] {
    let hash = blake3::hash(body);
    std::array::from_fn(|byte| hash.as_bytes()[byte])
}

fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError(error.to_string())
}
