/** Version of the API and of the appliance. */
export const apiVersion = '0.1.0'
