/** `npm run audit`: checks dependencies against our rules, and against the registry's advisories. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemsOf } from './audit-rules.mjs'
import { runMain } from './progress.mjs'
import { ROOT } from './settings.mjs'

const REGISTRY_MS = 60_000

await runMain(async () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const problems = problemsOf(packages)
  for (const problem of problems) process.stdout.write(`✗ ${problem}\n`)
  if (problems.length === 0)
    process.stdout.write(
      `✓ ${Object.keys(packages).length} packages: sums, sources, licences and scripts are in order\n`,
    )
  const holes = await knownHoles()
  process.stdout.write(`${holes.text}\n`)
  return problems.length > 0 || holes.grave > 0 ? 1 : 0
})

/**
 * Asks the registry; one that is unreachable or has no advisories is no failure.
 * @returns {Promise<{text: string, grave: number}>} `grave`: how many are high or critical
 */
function knownHoles() {
  const args = ['audit', '--omit=dev', '--json']
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: ROOT, timeout: REGISTRY_MS, maxBuffer: 64e6 }, (_, stdout) => {
      try {
        const { metadata } = JSON.parse(stdout)
        const { low, moderate, high, critical } = metadata.vulnerabilities
        const grave = high + critical
        const text = `${critical} critical, ${high} high, ${moderate} moderate, ${low} low known holes in what is shipped`
        resolve({
          text: `${grave > 0 ? '✗' : '✓'} ${text}${grave > 0 ? ': npm audit --omit=dev tells which' : ''}`,
          grave,
        })
      } catch {
        resolve({
          text: '– the registry was not reached, or knows no audit: known holes were not looked for',
          grave: 0,
        })
      }
    })
  })
}
