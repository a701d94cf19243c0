/** The commands of the README, as they stand there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../../../README.md', import.meta.url))

/** Commands of the first block of a section, without what is said behind `#`. @throws when there is none */
export function commandsOf(section: string): string[] {
  const text = readFileSync(path, 'utf8')
  const [, block] = new RegExp(`^## ${section}\\n[^]*?\`\`\`sh\\n([^]*?)\`\`\``, 'm').exec(text) ?? []
  if (block === undefined) throw new Error(`README.md has no commands under “${section}”`)
  return block
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean)
}
