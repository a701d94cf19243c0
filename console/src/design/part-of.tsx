/** Parts that are rendered only on request. */
import { type ComponentType, type FunctionComponent, use } from 'react'
import { fetched } from '../api/fetched'

/** Browsers without requestIdleCallback have most likely drawn the page by then. */
const soonMs = 2_000

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work)
  else setTimeout(work, soonMs)
}

/**
 * Content of a dialog as a chunk of its own, fetched once the page is drawn, so that the dialog opens at once.
 * `const NumberForm = partOf(async () => import('../components/number-form'), 'NumberForm')`
 */
export function partOf<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const ask = async () => {
    loaded = (await fetched(load))[name]
    return loaded
  }
  whenIdle(() => {
    loading ??= ask()
  })
  return function Part(props) {
    const Shown = loaded ?? use((loading ??= ask()))
    return <Shown {...props} />
  }
}
