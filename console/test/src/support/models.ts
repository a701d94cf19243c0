/** Models of the flow editor, which need no browser. */
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

export const modelOf = async <Module>(name: string): Promise<Module> => {
  const path = fileURLToPath(new URL(`../../../src/features/flows/model/${name}.ts`, import.meta.url))
  return (await runnerImport<Module>(path, { logLevel: 'error', configFile: false })).module
}
