/** The MongoDB release whose behaviour is meant, and its wire protocol. */
export const version = '8.0.0';
export const wireVersion = 25;
