/** Holds what a voice agent said and did against the rules of a script. */
import type { CalledTool, Exchange, Played } from './exchange.js'
import { type PatternJob, matchAll } from './patterns.js'
import type { Rule } from './rules.schema.js'
import type { Script } from './script.js'

/** How one rule came out. */
export interface Verdict {
  /** From 1; null for a rule of the whole call. */
  readonly turn: number | null
  readonly rule: Rule
  readonly passed: boolean
  /** What was seen instead of what is asked for; null when it has passed. */
  readonly seen: string | null
}

/** A rule with what it speaks of; none when the turn was not reached. */
interface Case {
  readonly turn: number | null
  readonly rule: Rule
  readonly exchanges: readonly Exchange[] | null
}

/** Of what was seen, in characters. */
const maxSeen = 300

/** In the order of the script, the rules of the whole call last. */
export async function judge(script: Script, played: Played): Promise<Verdict[]> {
  const cases = [
    ...script.turns.flatMap(({ expect = [] }, index) =>
      expect.map((rule): Case => {
        // The greeting is the exchange before the first turn.
        const exchange = played.exchanges[index + 1]
        return { turn: index + 1, rule, exchanges: exchange ? [exchange] : null }
      }),
    ),
    ...script.expect.map((rule): Case => ({ turn: null, rule, exchanges: played.exchanges })),
  ]
  const matches = await matchesOf(cases)
  return cases.map((one) => {
    const { turn, rule, exchanges } = one
    const seen = exchanges
      ? failureOf(rule, exchanges, matches.get(one) ?? null)
      : 'the call was over before it'
    return { turn, rule, passed: seen === null, seen: seen?.slice(0, maxSeen) ?? null }
  })
}

/** Whether what was said matches, for rules with a pattern; those that took too long have no entry. */
async function matchesOf(cases: readonly Case[]): Promise<Map<Case, boolean>> {
  const jobs = cases.flatMap((one): { one: Case; job: PatternJob }[] => {
    const pattern = one.rule.matches ?? one.rule.matches_not
    if (pattern === undefined || !one.exchanges) return []
    return [{ one, job: { pattern, text: saidIn(one.exchanges) } }]
  })
  const results = await matchAll(jobs.map(({ job }) => job))
  const found = new Map<Case, boolean>()
  for (const [index, { one }] of jobs.entries()) {
    const matches = results[index] ?? null
    if (matches !== null) found.set(one, matches)
  }
  return found
}

/** What was seen in place of what the rule asks for; null when it holds. */
function failureOf(rule: Rule, exchanges: readonly Exchange[], matches: boolean | null): string | null {
  const said = saidIn(exchanges)
  const called = exchanges.flatMap((one) => one.tool_calls)
  if (rule.says !== undefined) return unless(folded(said).includes(folded(rule.says)), quoted(said))
  if (rule.says_not !== undefined) return unless(!folded(said).includes(folded(rule.says_not)), quoted(said))
  if (rule.matches !== undefined) return matches === null ? tooSlow : unless(matches, quoted(said))
  if (rule.matches_not !== undefined) return matches === null ? tooSlow : unless(!matches, quoted(said))
  if (rule.calls_tool !== undefined) {
    const { name, arguments: wanted = {} } = rule.calls_tool
    const isCalled = called.some((call) => call.name === name && holds(call.arguments, wanted))
    return unless(isCalled, shown(called))
  }
  if (rule.does_not_call_tool !== undefined) {
    const name = rule.does_not_call_tool
    return unless(!called.some((call) => name === '*' || call.name === name), shown(called))
  }
  if (rule.ends_call !== undefined) {
    const ends = called.some(({ name }) => name === 'end_call')
    return unless(ends === rule.ends_call, ends ? 'the call was ended' : 'the call was not ended')
  }
  if (rule.transfers_to !== undefined) return transferFailure(rule.transfers_to, called)
  if (rule.max_words !== undefined) {
    const words = Math.max(0, ...exchanges.map((one) => wordsOf(one.voice_agent)))
    return unless(words <= rule.max_words, `${words} words`)
  }
  return delayFailure(rule.replies_within ?? 0, exchanges)
}

const tooSlow = 'the pattern took too long'

function unless(holds: boolean, seen: string): string | null {
  return holds ? null : seen
}

function transferFailure(to: string, called: readonly CalledTool[]): string | null {
  const transfers = called.filter(({ name }) => name === 'transfer_call')
  const targets = transfers.map((call) => String((call.arguments as { to?: unknown } | null)?.to))
  if (targets.some((target) => folded(target) === folded(to))) return null
  return targets.length > 0 ? `transferred to ${targets.join(', ')}` : 'there was no transfer'
}

/** The greeting is not a reply. */
function delayFailure(seconds: number, exchanges: readonly Exchange[]): string | null {
  const delays = exchanges.filter(({ caller }) => caller !== null).map(({ reply_ms }) => reply_ms)
  if (delays.includes(null)) return 'there was no reply'
  const slowest = Math.max(0, ...delays.map((delay) => delay ?? 0)) / 1000
  return unless(slowest <= seconds, `${slowest.toFixed(1)} s`)
}

function saidIn(exchanges: readonly Exchange[]): string {
  return exchanges
    .map((one) => one.voice_agent)
    .filter(Boolean)
    .join('\n')
}

/** As it sounds: without case, typographic quotes and line breaks. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

function quoted(said: string): string {
  return said === '' ? 'nothing was said' : `said: ${said}`
}

function shown(called: readonly CalledTool[]): string {
  if (called.length === 0) return 'no tool was called'
  return `called: ${called.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`).join(', ')}`
}

/** Whether a value holds all of what is wanted: objects may have more fields, everything else is equal. */
function holds(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one, index) => holds(value[index], one))
    )
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const fields = value as Record<string, unknown>
    return Object.entries(wanted).every(
      ([name, one]) => Object.hasOwn(fields, name) && holds(fields[name], one),
    )
  }
  return value === wanted
}
