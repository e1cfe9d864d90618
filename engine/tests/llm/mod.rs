mod affect;
mod broker;
mod outside;
mod reading;
mod simulated;
