mod known;
mod timeline;
