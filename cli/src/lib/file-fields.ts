/** Fields whose values are read from files or stdin: secrets, long texts, JSON. */
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Flags } from '@oclif/core'
import { ask } from './ask.js'
import { type Field, type TextOptions, text, textual } from './fields.js'
import { usageError } from './usage-error.js'

/**
 * A secret: a hidden prompt on a terminal; elsewhere a file or, with `-`, stdin. A flag works, too, but other
 * users of the machine can see it, and the shell's history keeps it.
 */
export function secret<N extends string>(name: N, description: string, question?: string): Field<N> {
  return {
    name,
    required: question !== undefined,
    flags: (flag) => ({
      [flag]: Flags.string({ description: `${description}; better: --${flag}-file`, helpValue: '<secret>' }),
      [`${flag}-file`]: Flags.string({
        description: 'file that holds it, - for stdin',
        helpValue: '<file>',
        exclusive: [flag],
      }),
    }),
    async read(values, flag, lacking) {
      const file = values[`${flag}-file`] as string | undefined
      if (file !== undefined) return (await contentOf(file)).replace(/\r?\n$/, '')
      const given = values[flag] as string | undefined
      if (given !== undefined || !lacking) return given
      return ask(given, `--${flag}-file`, question ?? description, { secret: true })
    },
  }
}

/** A long text: on the command line, or from a file. */
export function longText<N extends string>(
  name: N,
  description: string,
  options: TextOptions = {},
): Field<N> {
  const plain = text(name, description, options)
  return {
    name,
    required: plain.required,
    flags: (flag) => ({
      [flag]: Flags.string({ description }),
      [`${flag}-file`]: Flags.string({ description: 'file that holds it, - for stdin', exclusive: [flag] }),
    }),
    async read(values, flag, lacking) {
      const file = values[`${flag}-file`] as string | undefined
      return file === undefined ? plain.read(values, flag, lacking) : (await contentOf(file)).trimEnd()
    },
  }
}

/** A text from a file, or from stdin with `-`. */
export function fileText<N extends string>(
  name: N,
  description: string,
  options: TextOptions = {},
): Field<N> {
  return textual(name, `${description}; - for stdin`, { helpValue: '<file>', ...options }, contentOf)
}

/** A value from a JSON file, or from stdin with `-`. */
export function jsonFile<N extends string>(
  name: N,
  description: string,
  options: TextOptions = {},
): Field<N> {
  const described = `${description}; - for stdin`
  return textual(name, described, { helpValue: '<file.json>', ...options }, async (path, flag) =>
    parsed(await contentOf(path), `--${flag} ${path}`),
  )
}

/** Reads a text from a file, or from stdin if the path is `-`. @throws if it cannot be read */
export async function contentOf(path: string): Promise<string> {
  return (await bytesOf(path)).toString('utf8')
}

/** Reads a file, or stdin if the path is `-`. @throws if it cannot be read */
export async function bytesOf(path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin)
  return readFile(path).catch((error: unknown) => {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`)
  })
}

/** Parses JSON. @throws naming its source */
export function parsed(content: string, from: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw usageError(`${from} is not JSON: ${(error as Error).message}`)
  }
}
