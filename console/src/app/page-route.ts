import { lazyRouteComponent } from '@tanstack/react-router'
import { fetched } from '../api/fetched'

/**
 * A page as a chunk of its own. While the server is unreachable, the previous page stays.
 * `component: pageOf(async () => import('./pages/numbers-page'), 'NumbersPage')`
 */
export function pageOf<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ReturnType<typeof lazyRouteComponent<Module, Name>> {
  return lazyRouteComponent(async () => fetched(load), name)
}
