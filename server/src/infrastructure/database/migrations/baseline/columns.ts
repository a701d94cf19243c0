/** Types of columns. */

/** An id of ours, such as `call_…`, or a name as short. */
export const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** ASCII of at most so many characters, compared as it stands. */
export const word = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`

/** ASCII of always so many characters, such as a hash or a country. */
export const fixed = (length: number) => `CHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`

/** Text of at most so many characters, compared as it stands. */
export const exact = (length: number) => `VARCHAR(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`

/** Long ASCII, such as sealed secrets. */
export const asciiText = 'TEXT CHARACTER SET ascii COLLATE ascii_bin'
