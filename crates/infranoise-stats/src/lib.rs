//! What do numbers say? Statistics for infrastructure noise; pure, knows nothing of trials.
