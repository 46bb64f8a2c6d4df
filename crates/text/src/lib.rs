//! Every sentence people and models read, in English and Spanish.
