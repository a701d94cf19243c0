/** The outcomes of dialling one party. */
export const reached = ['completed', 'busy', 'no_answer', 'failed']
