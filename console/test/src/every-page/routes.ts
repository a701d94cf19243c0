/** Every page that the console declares: read from where routes are made, so that none is forgotten. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../../src/', import.meta.url))

/** The root that a page hangs on tells for whom it is. */
export type Root = 'root' | 'agent' | 'supervisor' | 'watcher' | 'admin' | 'operator'

export interface DeclaredRoute {
  root: Root
  /** As the router has it: `/numbers/$id`. */
  path: string
}

const root = /getParentRoute(?:: | = )\(\) => (\w+)Route/

function declaredIn(file: string): DeclaredRoute[] {
  const code = readFileSync(source + file, 'utf8')
  const [head = '', ...made] = code.split(/= createRoute\(\{/)
  return made.map((route) => {
    const of = (root.exec(route) ?? root.exec(head))?.[1]
    const path = /^ {2}path: '([^']+)'/m.exec(route)?.[1]
    if (!of || !path) throw new Error(`${file}: a route whose root or path this test cannot read:${route}`)
    return { root: of as Root, path }
  })
}

export const declaredRoutes: readonly DeclaredRoute[] = [
  'session',
  ...readdirSync(`${source}features`).map((feature) => `features/${feature}`),
]
  .flatMap((folder) => [`${folder}/routes.ts`, `${folder}/feature.ts`])
  .filter((file) => existsSync(source + file))
  .flatMap(declaredIn)

export function routesOf(...roots: Root[]): string[] {
  return declaredRoutes.filter(({ root: of }) => roots.includes(of)).map(({ path }) => path)
}
