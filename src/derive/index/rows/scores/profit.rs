//! The expected maximum profit of a ranking.

use crate::costs::expected_profit::{Benefit, Campaign, expected_profit};
use crate::index::form::{Form, Reads};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{RankOnly, ScaleFree};
use crate::index::row::{Better, Index, reading};
use crate::index::sketched::form::Sketched;
use crate::index::value::{Outcome, Undefined, finite};
use crate::scores::ranking::Ranking;

const BEST_THRESHOLD: &str =
    "the threshold of greatest profit may be any in its cell, which is not known from a sketch";
const CHURN: &str = "Verbraken, Verbeke, Baesens 2013, doi:10.1109/TKDE.2012.50";
const ACQUISITION: &str = "Verbraken, Bravo, Weber, Baesens 2014, doi:10.1016/j.ejor.2014.04.001; the benefit of a \
                           lead as in empulse 0.13, empa_score";
const CREDIT: &str = "Verbraken, Bravo, Weber, Baesens 2014, doi:10.1016/j.ejor.2014.04.001";

const fn number(
    name: &'static str,
    default: f64,
    domain: Domain,
    about: &'static str,
) -> Parameter {
    Parameter { name, default: Some(default), domain, about, two_classes: false }
}

const OF_CHURN: &[Parameter] = &[
    number(
        "alpha",
        6.0,
        Domain::Positive,
        "the first shape of the beta distribution of the chance that a churner accepts the offer",
    ),
    number("beta", 14.0, Domain::Positive, "its second shape"),
    number(
        "clv",
        200.0,
        Domain::Positive,
        "customer lifetime value: what a customer who stays is worth",
    ),
    number(
        "d",
        10.0,
        Domain::NotNegative,
        "cost of the offer to a customer who accepts it; below clv",
    ),
    number("f", 1.0, Domain::NotNegative, "cost of contacting a customer"),
];

const OF_ACQUISITION: &[Parameter] = &[
    number(
        "alpha",
        12.0,
        Domain::Positive,
        "the shape of the gamma distribution of what a new customer brings",
    ),
    number("beta", 0.0015, Domain::Positive, "its rate; the mean is alpha / beta"),
    number("contact_cost", 50.0, Domain::NotNegative, "cost of contacting a lead"),
    number(
        "sales_cost",
        500.0,
        Domain::NotNegative,
        "cost of selling to a lead that becomes a customer, without an intermediary",
    ),
    number(
        "commission",
        0.0,
        Domain::Share,
        "the share of what a new customer brings that goes to an intermediary; below 1",
    ),
];

const OF_CREDIT: &[Parameter] = &[
    number(
        "p0",
        0.55,
        Domain::Share,
        "the probability that a loan in default is paid back in full",
    ),
    number(
        "p1",
        0.1,
        Domain::Share,
        "the probability that all of it is lost; p0 + p1 is at most 1",
    ),
    number(
        "roi",
        0.2644,
        Domain::NotNegative,
        "return on a loan that is paid back, as a share of it",
    ),
];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "emp_churn",
        aliases: &["expected_maximum_profit_churn", "empc"],
        title: "Expected maximum profit, customer churn",
        formula: "mean over g of max over thresholds of ((g (clv - d) - f) tp - (d + f) fp) / n, \
                  g of a beta distribution with alpha and beta",
        about: "The profit per customer of a campaign that makes an offer to those with the \
                highest scores. A churner accepts it with chance g, which is known only as a \
                distribution; for each g the best threshold is taken. Positives are churners. In \
                the unit of clv.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is positive, or none is negative; or d is not below clv.",
        laws: &[ScaleFree, RankOnly],
        source: CHURN,
        parameters: OF_CHURN,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| Ok(churn(s, given)?.0))])
    },
    Index {
        name: "emp_churn_fraction",
        aliases: &["empc_fraction"],
        title: "Fraction to target at the expected maximum profit, customer churn",
        formula: "mean over g of (tp + fp) / n at the threshold of greatest profit \
                  (g (clv - d) - f) tp - (d + f) fp, g of a beta distribution with alpha and beta",
        about: "The share of the customers that the campaign of greatest profit makes an offer to: \
                those with the highest scores.",
        better: Better::Neither,
        undefined: "No row is positive, or none is negative; or d is not below clv.",
        laws: &[ScaleFree, RankOnly],
        source: CHURN,
        parameters: OF_CHURN,
        sketched: Sketched::No(BEST_THRESHOLD),
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| Ok(churn(s, given)?.1))])
    },
    Index {
        name: "emp_acquisition",
        aliases: &["expected_maximum_profit_acquisition", "empa", "empa_score"],
        title: "Expected maximum profit, customer acquisition",
        formula: "mean over r of max over thresholds of \
                  ((r (1 - commission) - sales_cost) tp - contact_cost (tp + fp)) / n, \
                  r of a gamma distribution with alpha and beta",
        about: "The profit per lead of contacting those with the highest scores. What a new \
                customer brings is known only as a distribution; for each value the best threshold \
                is taken. Positives are leads that become customers. empulse's share d of leads \
                sold to directly is sales_cost = d * 500 and commission = (1 - d) * 0.1. In the \
                unit of the costs.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is positive, or none is negative; or commission is 1.",
        laws: &[ScaleFree, RankOnly],
        source: ACQUISITION,
        parameters: OF_ACQUISITION,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| Ok(acquisition(s, given)?.0))])
    },
    Index {
        name: "emp_acquisition_fraction",
        aliases: &["empa_fraction"],
        title: "Fraction to contact at the expected maximum profit, customer acquisition",
        formula: "mean over r of (tp + fp) / n at the threshold of greatest profit \
                  (r (1 - commission) - sales_cost) tp - contact_cost (tp + fp), r of a gamma \
                  distribution with alpha and beta",
        about: "The share of the leads that are contacted where that brings the greatest profit: \
                those with the highest scores.",
        better: Better::Neither,
        undefined: "No row is positive, or none is negative; or commission is 1.",
        laws: &[ScaleFree, RankOnly],
        source: ACQUISITION,
        parameters: OF_ACQUISITION,
        sketched: Sketched::No(BEST_THRESHOLD),
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| Ok(acquisition(s, given)?.1))])
    },
    Index {
        name: "emp_credit",
        aliases: &["expected_maximum_profit_credit", "emp_credit_scoring", "empcs"],
        title: "Expected maximum profit, credit scoring",
        formula: "mean over l of max over thresholds of (l tp - roi fp) / n, \
                  l = 0 with probability p0, 1 with p1, else uniform between 0 and 1",
        about: "The profit of refusing the loans with the highest scores, compared with granting \
                all, as a share of the mean loan. A default loses the share l of the loan, which \
                is known only as a distribution; a refused good loan loses its return. Positives \
                are defaults. It is not normalised.",
        undefined: "No row is positive, or none is negative; or p0 + p1 is above 1.",
        laws: &[ScaleFree, RankOnly],
        source: CREDIT,
        parameters: OF_CREDIT,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| Ok(credit(s, given)?.0))])
    },
    Index {
        name: "emp_credit_fraction",
        aliases: &["empcs_fraction"],
        title: "Fraction to refuse at the expected maximum profit, credit scoring",
        formula: "mean over l of (tp + fp) / n at the threshold of greatest profit l tp - roi fp, \
                  l = 0 with probability p0, 1 with p1, else uniform between 0 and 1",
        about: "The share of the loans that are refused where that brings the greatest profit: \
                those with the highest scores. Where a default loses nothing, none is refused.",
        better: Better::Neither,
        undefined: "No row is positive, or none is negative; or p0 + p1 is above 1.",
        laws: &[ScaleFree, RankOnly],
        source: CREDIT,
        parameters: OF_CREDIT,
        sketched: Sketched::No(BEST_THRESHOLD),
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| Ok(credit(s, given)?.1))])
    },
];

fn churn(table: &Ranking, given: &Parameters) -> Outcome<(f64, f64)> {
    let [alpha, beta, clv, d, f] = [0, 1, 2, 3, 4].map(|place| given.number(place));
    if d >= clv {
        return Err(Undefined::OutsideDomain);
    }
    let campaign =
        Campaign { gain: clv - d, spent: f, waste: d + f, benefit: Benefit::Beta { alpha, beta } };
    known(table, campaign)
}

fn acquisition(table: &Ranking, given: &Parameters) -> Outcome<(f64, f64)> {
    let [shape, rate, contact, sales, commission] =
        [0, 1, 2, 3, 4].map(|place| given.number(place));
    if commission >= 1.0 {
        return Err(Undefined::OutsideDomain);
    }
    let benefit = Benefit::Gamma { shape, rate };
    let gain = 1.0 - commission;
    known(table, Campaign { gain, spent: sales + contact, waste: contact, benefit })
}

fn credit(table: &Ranking, given: &Parameters) -> Outcome<(f64, f64)> {
    let [zero, one, waste] = [0, 1, 2].map(|place| given.number(place));
    if zero + one > 1.0 {
        return Err(Undefined::OutsideDomain);
    }
    let campaign = Campaign { gain: 1.0, spent: 0.0, waste, benefit: Benefit::Ends { zero, one } };
    known(table, campaign)
}

fn known(table: &Ranking, campaign: Campaign) -> Outcome<(f64, f64)> {
    let found = expected_profit(table, table.roc_hull(), campaign);
    let (profit, share) = found.ok_or(if table.totals().0 > 0.0 {
        Undefined::NoActualNegatives
    } else {
        Undefined::NoActualPositives
    })?;
    Ok((finite(profit)?, finite(share)?.min(1.0)))
}
