import './checkout.int.spec';
import './recovery.int.spec';

// Checkouts and payments while every seventh command to the store fails as in an election, half of them after they were done.
process.env['STORE_FAIL_EVERY'] = '7';
