//! The attributes of warpfold.
