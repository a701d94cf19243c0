import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine's own does not say to assistive technology, or to our forms, that it is invalid. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput {...(Boolean(props.error) && { 'aria-invalid': true })} {...props} />
}
