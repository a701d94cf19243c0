/** The OpenAPI document of the build, as its endpoints. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../settings.mjs'

/**
 * @typedef {{scheme: 'open'} | {scheme: 'visitor'} | {scheme: 'operator'}
 *   | {scheme: 'api_key', scope: 'any' | 'full', roles: string[]}
 *   | {scheme: 'bearer', kinds: string[], roles: string[]}} Auth
 * @typedef {object} Operation
 * @property {string} summary
 * @property {string[]} tags
 * @property {Auth} x-auth
 * @property {string} x-rate-tier
 * @property {Record<string, {description: string}>} responses
 * @typedef {Operation & {endpoint: string}} Endpoint
 */

/** @type {Endpoint[] | undefined} */
let known

/** @returns {Endpoint[]} */
export function endpoints() {
  known ??= read()
  return known
}

function read() {
  const text = execFileSync(process.execPath, [join(ROOT, 'server/dist/src/bin/print-openapi.js')], {
    encoding: 'utf8',
    maxBuffer: 64_000_000, // the default is 1 MB
  })
  const { paths } = /** @type {{paths: Record<string, Record<string, Operation>>}} */ (JSON.parse(text))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      endpoint: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    })),
  )
}
