use super::*;

fn at() -> Reader<'static> {
    Reader::nested("bcn", &[], 0x40)
}

#[test]
fn clones_spend_from_one_budget() {
    let budget = Budget::with_limit(100, 1);
    budget.clone().spend(&at(), "data", 60).unwrap();
    let error = budget.spend(&at(), "data", 41).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bcn: byte 0x40, data: unpacking 41 bytes exceeds the unpack limit of 100 bytes, 40 are left"
    );
    assert_eq!(budget.spend(&at(), "data", 40), Ok(()));
    assert!(budget.spend(&at(), "data", u64::MAX).is_err());
}

#[test]
fn large_files_may_unpack_to_a_multiple_of_themselves() {
    let budget = Budget::with_limit(100, 10);
    assert!(budget.spend(&at(), "data", 10 * MAX_RATIO + 1).is_err());
    budget.spend(&at(), "data", 10 * MAX_RATIO).unwrap();
    assert!(budget.spend(&at(), "data", 1).is_err());
    budget.add_read(1);
    budget.spend(&at(), "data", MAX_RATIO).unwrap();
    assert!(budget.spend(&at(), "data", 1).is_err());
}

#[test]
fn what_is_from_no_file_has_no_limit() {
    let budget = Budget::default();
    assert_eq!(budget.spend(&at(), "data", u64::MAX), Ok(()));
    assert_eq!(budget.spend(&at(), "data", u64::MAX), Ok(()));
}
