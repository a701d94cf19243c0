/**
 * Writes cli/oclif.manifest.json, from which the CLI knows its commands: without it each run loads all of them, which takes
 * three times as long. cli/bin/run.js removes one that is older than the compiled commands.
 *
 * Source: https://oclif.io/docs/plugin_loading (manifests)
 */
import { Plugin } from '@oclif/core'
import { realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './settings.mjs'

// oclif resolves links in the paths of the commands, and writes those paths relative to the root.
const root = realpathSync(join(ROOT, 'cli'))
const plugin = new Plugin({
  ...{ root, type: 'core', isRoot: true, ignoreManifest: true },
  ...{ errorOnManifestCreate: true, respectNoCacheDefault: true },
})
await plugin.load()
const file = join(root, 'oclif.manifest.json')
// Another run may read it at this moment, or another build write it.
const written = `${file}.${process.pid}`
writeFileSync(written, JSON.stringify(plugin.manifest))
renameSync(written, file)
