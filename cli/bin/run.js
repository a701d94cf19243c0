#!/usr/bin/env node
import { execute } from '@oclif/core'
import { rmSync, statSync } from 'node:fs'

const manifest = new URL('../oclif.manifest.json', import.meta.url)
const compiled = new URL('../dist/tsconfig.tsbuildinfo', import.meta.url)

/** @param {URL} file @returns {number} 0 if it does not exist */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

// A manifest that is older than the compiled commands names commands of before.
if (changedAt(manifest) < changedAt(compiled)) {
  try {
    rmSync(manifest, { force: true })
  } catch {
    // another user's checkout: its next build writes the manifest
  }
}

await execute({ dir: import.meta.url })
