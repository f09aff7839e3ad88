//! How does it look? Figures, HTML, Markdown and terminal tables from an Analysis.
