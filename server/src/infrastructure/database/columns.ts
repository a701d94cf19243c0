/** Column types that several tables share. */
import type { ColumnOptions, PrimaryColumnOptions } from 'typeorm'

/** Ids and other words of ASCII: compared byte by byte, short in every index. */
export const asciiId: PrimaryColumnOptions = {
  type: 'varchar',
  length: 40,
  charset: 'ascii',
  collation: 'ascii_bin',
}

/** UTC, milliseconds. */
export const timestamp: ColumnOptions = { type: 'datetime', precision: 3 }

/** DECIMAL, read as a number. */
export const decimalNumber: ColumnOptions = {
  type: 'decimal',
  transformer: {
    from: (value: string | null) => (value === null ? null : Number(value)),
    to: (value: unknown) => value,
  },
}

/** USD with six decimals. */
export const money: ColumnOptions = { ...decimalNumber, precision: 14, scale: 6 }

/** TINYINT(1), read as a boolean. */
export const flag: ColumnOptions = {
  type: 'tinyint',
  transformer: { from: (value: number | boolean) => Boolean(value), to: (value: unknown) => value },
}

/** The same, where it may be unknown. */
export const flagOrNull: ColumnOptions = {
  type: 'tinyint',
  nullable: true,
  transformer: {
    from: (value: number | boolean | null) => (value === null ? null : Boolean(value)),
    to: (value: unknown) => value,
  },
}

/** Words of a closed list: states, kinds. */
export const word: ColumnOptions = { type: 'varchar', length: 16, charset: 'ascii', collation: 'ascii_bin' }

/** A telephone number: digits with the country code, no plus sign. */
export const digits: ColumnOptions = { type: 'varchar', length: 20, charset: 'ascii', collation: 'ascii_bin' }

/** JSON that customers wrote: as text, since JSON columns refuse half of what JSON can say. */
export const jsonText: ColumnOptions = {
  type: 'mediumtext',
  transformer: {
    from: (value: string) => JSON.parse(value) as unknown,
    to: (value: unknown) => (value === undefined ? undefined : JSON.stringify(value)),
  },
}
