import './invoices/invoice-rpc.int.spec';
import './invoices/invoice-store.int.spec';
import './invoices/prepaid-invoices.int.spec';

// Invoices and their numbers while every seventh command to the store fails as in an election, half of them after they were done.
process.env['STORE_FAIL_EVERY'] = '7';
