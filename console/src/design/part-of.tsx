/** What is seen only when somebody asks for it. */
import { type ComponentType, type FunctionComponent, use } from 'react'
import { fetched } from '../api/fetched'

/** Browsers that do not tell when they are idle have most likely drawn the page by then. */
const soonMs = 2_000

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work)
  else setTimeout(work, soonMs)
}

/**
 * What a dialog shows, as a chunk of its own, fetched once the page is drawn: the dialog opens at once then.
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
