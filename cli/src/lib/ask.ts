/** Prompts for missing values, on a terminal only. Elsewhere the command fails and names the flag. */
import { Errors } from '@oclif/core'
import { NothingDone } from './nothing-done.js'
import { usageError } from './usage-error.js'

/** Loaded on the first question: most commands ask nothing, and start faster. */
async function prompter() {
  const { default: inquirer } = await import('inquirer')
  // Prompts go to stderr: stdout is the command's output, and may be a file.
  const prompt = inquirer.createPromptModule({ output: process.stderr })
  return async <A extends Record<string, unknown>>(
    questions: Parameters<typeof prompt<A>>[0],
  ): Promise<A> => {
    try {
      return await prompt<A>(questions)
    } catch (error) {
      if (isLeft(error)) throw new NothingDone()
      throw error
    }
  }
}

/** Whether the user aborted the prompt: Ctrl-C, Ctrl-D, or a closed terminal. */
function isLeft(error: unknown): boolean {
  return (
    error instanceof Error &&
    ['ExitPromptError', 'AbortPromptError', 'CancelPromptError'].includes(error.name)
  )
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** The given value, or the user's input. @throws without a terminal */
export async function ask(
  given: string | undefined,
  flag: string,
  message: string,
  { secret = false } = {},
): Promise<string> {
  if (given !== undefined) return given
  if (!isTerminal()) throw missing(flag, message)
  const type = secret ? 'password' : 'input'
  const prompt = await prompter()
  const answers = await prompt<{ value: string }>([
    {
      type,
      name: 'value',
      message,
      validate: (text: string) => text.trim() !== '' || 'Something is needed here',
    },
  ])
  return answers.value.trim()
}

/** The given value, or the user's choice. @throws without a terminal */
export async function choose<T extends string>(
  given: T | undefined,
  flag: string,
  message: string,
  choices: readonly T[],
): Promise<T> {
  if (given !== undefined) return given
  if (!isTerminal()) throw missing(flag, message)
  const prompt = await prompter()
  const answers = await prompt<{ value: string }>([
    { type: 'select', name: 'value', message, choices: [...choices] },
  ])
  return answers.value as T
}

/** Asks for confirmation of a destructive action. */
export async function confirm(given: boolean, flag: string, message: string): Promise<void> {
  if (given) return
  if (!isTerminal()) throw missing(flag, message)
  const prompt = await prompter()
  const answers = await prompt<{ value: boolean }>([
    { type: 'confirm', name: 'value', message, default: false },
  ])
  if (!answers.value) throw new Errors.CLIError('Nothing was done', { exit: 1 })
}

function missing(flag: string, message: string): Error {
  return usageError(`Missing ${flag}: ${message}`)
}
