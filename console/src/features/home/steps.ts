/** The steps that lead a new workspace to its first calls. */
import type { Overview } from './queries'

export const stepIds = ['number', 'people', 'flow', 'test', 'go'] as const

export type StepId = (typeof stepIds)[number]

/** Which steps are done, by what the workspace has. The first administrator alone is no team. */
export function stepsOf({ numbers, live_numbers, agents, flows, has_called_flow }: Overview['setup']) {
  const done: Record<StepId, boolean> = {
    ...{ number: numbers > 0, people: agents > 1, flow: flows > 0 },
    ...{ test: has_called_flow, go: live_numbers > 0 },
  }
  return stepIds.map((id) => ({ id, isDone: done[id] }))
}

/** Per cent of the incoming calls that were answered; null without any. */
export function answeredShare({ incoming, answered }: Overview['calls']): number | null {
  return incoming === 0 ? null : Math.round((100 * answered) / incoming)
}
