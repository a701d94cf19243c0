/** Prompts on the terminal. */
import { SETTINGS } from '../settings.mjs'
import { problemWith } from './flags.mjs'

/**
 * @returns {Promise<(question: import('./flags.mjs').Question, fallback: string | undefined) => Promise<string>>}
 */
export async function questioner() {
  const { default: inquirer } = await import('inquirer') // not before npm has installed it
  return async ({ setting, message }, fallback) => {
    if (SETTINGS[setting].fallback === false) {
      const { yes } = await inquirer.prompt([
        { type: 'confirm', name: 'yes', message, default: fallback === 'true' },
      ])
      return String(yes)
    }
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
