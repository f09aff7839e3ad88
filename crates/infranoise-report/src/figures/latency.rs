//! Latency of the model's API. Nothing records it yet, and the figure says so.

use infranoise_analysis::Analysis;

use super::{Figure, FigureSpec};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "api-latency",
    title: "Latency of the model's API",
    question: "Was the model's API slow or failing, and when?",
    draw,
};

fn draw(_: &Analysis) -> Figure {
    SPEC.missing(
        "no call to a model's API is on record",
        "Calls that go through a gateway of infranoise's own would fill it: latency, errors and tokens of each. There is none yet, and no \
         harness that can be imported keeps them.",
    )
}
