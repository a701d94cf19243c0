/** Command lines as people write them in documentation. */

/** What follows `npx jackfield` in the shell blocks of a page, one command line each. */
export function commandsIn(page: string): string[] {
  return shellBlocks(page).flatMap((block) =>
    block
      .replace(/\\\n\s*/g, ' ')
      .split('\n')
      .flatMap((line) => [...line.matchAll(/npx jackfield ((?:'[^']*'|"[^"]*"|\\.|[^'"\\|;&)<>#])*)/g)])
      .map(([, command = '']) => command.trim())
      .filter((command) => command !== ''),
  )
}

/** The shell blocks of a page. */
export function shellBlocks(page: string): string[] {
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
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
