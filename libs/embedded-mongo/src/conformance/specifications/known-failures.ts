/**
 * Cases of MongoDB's specification tests that fail on the embedded store, each with its reason. The list only shrinks: a
 * case in it that passes fails the test, as does one that fails and is not in it.
 */
export const knownFailures: Readonly<Record<string, string>> = {};
