//! One key for all spellings of a name: `PR AUC`, `pr-auc` and `PrAuc` have the key `prauc`.

/// The letters and digits of a name in lower case. Greek letters are spelled out, accents and the
/// positions of digits are dropped: `Cramér's V` is `cramersv`, `F₁` is `f1`, `κ` is `kappa`.
pub(crate) fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for letter in name.chars() {
        push(letter, &mut key);
    }
    key
}

/// The words of a name, as keys. A word ends at a character that is neither letter nor digit, and
/// before a capital letter that follows a small one: `RocAUC at 5 %` is `roc auc at 5`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.chars() {
        let is_apostrophe = matches!(letter, '\'' | '’');
        if !letter.is_alphanumeric() && !is_apostrophe || after_small && letter.is_uppercase() {
            words.push(String::new());
        }
        after_small = letter.is_lowercase();
        if let Some(word) = words.last_mut() {
            push(letter, word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn push(letter: char, key: &mut String) {
    match spelled_out(letter) {
        Some(letters) => key.push_str(letters),
        None if letter.is_alphanumeric() => key.extend(letter.to_lowercase()),
        None => {}
    }
}

fn spelled_out(letter: char) -> Option<&'static str> {
    Some(match letter {
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' | 'Δ' => "delta",
        'κ' => "kappa",
        'λ' => "lambda",
        'π' => "pi",
        'ρ' => "rho",
        'τ' => "tau",
        'φ' | 'ϕ' => "phi",
        'χ' => "chi",
        'á' | 'à' | 'â' | 'ä' => "a",
        'é' | 'è' | 'ê' | 'É' => "e",
        'ó' | 'ò' | 'ô' | 'ö' | 'ø' | 'Ø' => "o",
        'ú' | 'ù' | 'û' | 'ü' => "u",
        '₀' | '⁰' => "0",
        '₁' | '¹' => "1",
        '₂' => "2",
        '²' => "squared",
        '+' => "plus",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_one_key() {
        for name in ["pr_auc", "PR AUC", "Pr-Auc", "PRAUC", " prAuc "] {
            assert_eq!(key(name), "prauc", "{name}");
        }
        assert_eq!(key("Cramér's V"), "cramersv");
        assert_eq!(key("F₁"), "f1");
        assert_eq!(key("χ²"), "chisquared");
        assert_eq!(key("LR+"), "lrplus");
        assert_eq!(key("…"), "");
    }

    #[test]
    fn a_name_falls_into_words() {
        assert_eq!(words("RocAUC at 5 %"), ["roc", "auc", "at", "5"]);
        assert_eq!(words("mean_per_class"), ["mean", "per", "class"]);
        assert_eq!(words("Youden's J"), ["youdens", "j"]);
        assert_eq!(words("areaUnderROC"), ["area", "under", "roc"]);
        assert!(words("").is_empty());
    }
}
