/**
 * `node --import ./installer/typescript.mjs`: has Node run TypeScript as it is, in its threads too. tsx compiles as tsc does for this
 * repository, decorators included; Node's own type stripping cannot. `tsx` alone would load test files as CommonJS and what
 * they import() as modules: two copies of one module.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

register({ tsconfig: join(fileURLToPath(new URL('..', import.meta.url)), 'tsconfig.base.json') })
