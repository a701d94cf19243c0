/** Command lines as people write them in documentation. */

/** What follows `npx jackfield` in the shell blocks of a page, one command line each. */
export function commandsIn(page: string): string[] {
  return [...shellBlocks(page, 'sh'), ...shellBlocks(page, 'console')].flatMap((block) =>
    block
      .replace(/\\\n\s*/g, ' ')
      .split('\n')
      .flatMap((line) => [...line.matchAll(/npx jackfield ((?:'[^']*'|"[^"]*"|\\.|[^'"\\|;&)<>#])*)/g)])
      .map(([, command = '']) => command.trim())
      .filter((command) => command !== ''),
  )
}

/** The shell blocks of a page: `sh` is meant to be run, `console` only to be read. */
export function shellBlocks(page: string, kind: 'sh' | 'console'): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  )
}

/** Splits a line into words as a shell does, without expanding anything. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"(?:\\.|[^"])*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"((?:\\.|[^"])*)"|\\(.)/g,
      (_, single?: string, double?: string, one?: string) =>
        single ?? double?.replace(/\\(.)/g, '$1') ?? one ?? '',
    ),
  )
}
