/** docs/reference/benchmarks.md, made of the texts in bench/pages and the results in bench/results. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Bench, benches } from './benches.js'
import { type Result, figuresOf, readResult } from './result.js'

const head = `# Benchmarks

Each compares Jackfield with the least that could do the same work, on the same MariaDB and the same FreeSWITCH,
in turns within one run. What counts is the ratio: absolute figures belong to the machine. This page is written by

\`\`\`sh
npm run bench              # all, in an hour
npm run bench calls api    # these, and the page with what is known of the others
\`\`\`

They start their own parts on free ports and in temporary folders, and speak on the loopback only. Let nothing else run
meanwhile. \`BENCH_SERVER_NODE_OPTIONS\` is given to the server as \`NODE_OPTIONS\`, for example \`--import ./profiler.mjs\`
with a module that starts \`node:inspector\`’s profiler.
`

/** Writes the page. */
export function writePage(): void {
  const known = benches.map((bench) => ({ bench, result: readResult(bench.name) }))
  const parts = [head, summary(known), overview(known), ...known.map(section)]
  const path = fileURLToPath(new URL('../../../docs/reference/benchmarks.md', import.meta.url))
  writeFileSync(path, `${parts.join('\n').trimEnd()}\n`)
}

interface Known {
  bench: Bench
  result: Result | undefined
}

function summary(known: readonly Known[]): string {
  const rows = known.flatMap(({ bench, result }) =>
    (result ? figuresOf(result) : []).map(({ what, value, aim, isMet }) => [
      ...[`[${bench.title}](#${anchorOf(bench.title)})`, what, value, aim],
      isMet === null ? '' : isMet ? 'yes' : '**no**',
    ]),
  )
  return table(['benchmark', 'what', 'figure', 'aim', 'met'], rows)
}

function overview(known: readonly Known[]): string {
  const machines = [...new Set(known.flatMap(({ result }) => (result ? [result.machine] : [])))]
  const rows = known.map(({ bench, result }) => [
    ...[`\`npm run bench ${bench.name}\``, bench.needs, `${bench.minutes} min`],
    ...(result
      ? [`${result.day}, ${result.commit}${result.isWhole ? '' : ', **failed**'}`, letterOf(machines, result)]
      : ['never', '']),
  ])
  const described = machines.map((machine, index) => `- Machine ${index + 1}: ${machine}`).join('\n')
  return `${table(['command', 'needs MariaDB and', 'takes', 'ran', 'machine'], rows)}\n${described}\n`
}

const letterOf = (machines: readonly string[], { machine }: Result) => String(machines.indexOf(machine) + 1)

function section({ bench, result }: Known): string {
  const text = readFileSync(fileURLToPath(new URL(`../../pages/${bench.name}.md`, import.meta.url)), 'utf8')
  const settings = Object.entries(result?.settings ?? {}).map(([name, value]) => `\`${name}=${value}\``)
  const note = settings.length > 0 ? `With ${settings.join(', ')}:\n\n` : ''
  const shown = result
    ? `${note}\`\`\`\n${result.output.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n\`\`\``
    : '(Not run yet.)'
  return `## ${bench.title}\n\n${text.replace('{{output}}', () => shown).trimEnd()}\n`
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

/** Aligned as prettier does it. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => [...(row[column] ?? '')].length), 3),
  )
  const written = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return `${[headings, rule, ...rows].map(written).join('\n')}\n`
}
