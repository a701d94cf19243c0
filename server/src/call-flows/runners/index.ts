/** What each type of node does that is not a decision. */
import { runAction } from './action-runner.js'
import { runMenu } from './menu.js'
import type { NodeRunner } from './node-runner.js'

const runners: ReadonlyMap<string, NodeRunner> = new Map([['menu', runMenu]])

/** Types without a runner of their own are call actions. */
export function runnerOf(type: string): NodeRunner {
  return runners.get(type) ?? runAction
}
