/** A side of a bridge. */
export type Side = 'line' | 'destination'
