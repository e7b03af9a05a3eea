package history

// OwnMarker begins every prompt that the product sends to an assistant's model.
// A session whose first prompt begins with it, and which no person typed, is our
// own call and nobody's history. Text that merely mentions it is not.
const OwnMarker = "recollect-internal:6b1d4f0e9c7a:do-not-memorize"
