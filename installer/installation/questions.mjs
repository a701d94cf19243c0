/** Asks a person at the terminal. */
import { problemWith } from './flags.mjs'

/**
 * @returns {Promise<(question: import('./flags.mjs').Question, fallback: string | undefined) => Promise<string>>}
 */
export async function questioner() {
  const { default: inquirer } = await import('inquirer') // not before npm has installed it
  return async ({ setting, message }, fallback) => {
    const { value } = await inquirer.prompt([
      {
        type: 'input',
        name: 'value',
        message,
        ...(fallback === undefined ? {} : { default: fallback }),
        validate: (/** @type {string} */ text) => {
          const problem = problemWith(setting, text.trim())
          return problem === '' || `This ${problem}`
        },
      },
    ])
    return String(value).trim()
  }
}
