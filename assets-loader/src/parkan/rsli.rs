//! RsLi: packed and encrypted libraries (dossier section 3).
