/** Pieces of the generated pages, as Markdown. */

/**
 * @param {string} title
 * @param {string} intro
 * @param {readonly string[]} sections
 */
export const page = (title, intro, sections) =>
  [
    '<!-- `npm run reference` writes this page from the code. Change the descriptions there. -->',
    `# ${title}`,
    intro,
    ...sections,
  ].join('\n\n')

/** @param {string} title @param {readonly string[]} blocks empty ones are left out */
export const section = (title, ...blocks) => [`## ${title}`, ...blocks.filter(Boolean)].join('\n\n')

/**
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
export const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows]
    .map(
      (cells) =>
        `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`,
    )
    .join('\n')

/** @param {string} text */
export const code = (text) => (text === '' ? '' : `\`${text}\``)

/** @param {readonly string[]} names */
export const codes = (names) => names.map(code).join(', ')

/**
 * Text of the code as Markdown: `<placeholders>` would be taken for HTML, and asterisks for emphasis.
 * @param {string} text
 */
export const prose = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replaceAll('*', '\\*').replaceAll(/[^\s<>(]*<[^<>\s]+>(?:[^\s;,)]*[^\s;,).:])?/g, code),
    )
    .join('')

/** @param {string} text */
export const capitalised = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
