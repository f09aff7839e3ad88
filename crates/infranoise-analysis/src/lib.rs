//! What do the trials say? Records in, one Analysis document out; pure.
