//! Importers on whole folders: our own fixtures, and the reference data where it is at hand.

mod archives;
mod fixtures;
mod garbage;
mod harbor_reference;
mod hostile;
mod inspect_reference;
mod reference;
mod swebench_reference;
mod table;
mod tb1_reference;
