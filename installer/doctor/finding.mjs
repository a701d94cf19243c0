/**
 * Result of a check of the doctor.
 * @typedef {object} Finding
 * @property {'well' | 'ill' | 'unknown'} state `unknown`: it could not be checked
 * @property {string} message what was found
 * @property {string} [advice] what to do
 */

/** @param {string} message @returns {Finding} */
export const well = (message) => ({ state: 'well', message })

/** @param {string} message @param {string} advice @returns {Finding} */
export const ill = (message, advice) => ({ state: 'ill', message, advice })

/** @param {string} message @param {string} [advice] @returns {Finding} */
export const unknown = (message, advice) => ({ state: 'unknown', message, ...(advice ? { advice } : {}) })
