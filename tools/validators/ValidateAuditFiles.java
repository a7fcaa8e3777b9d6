import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXParseException;

/** Reads `schema<TAB>file` lines; writes `schema<TAB>file<TAB>fault` lines, and one without a fault for a file that has none. */
public final class ValidateAuditFiles {
  public static void main(String[] args) throws Exception {
    SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    Map<String, Schema> schemas = new HashMap<>();
    BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] parts = line.split("\t");
      Schema schema = schemas.get(parts[0]);
      if (schema == null) schemas.put(parts[0], schema = factory.newSchema(new File(parts[0])));
      int[] faults = {0};
      Validator validator = schema.newValidator();
      validator.setErrorHandler(new ErrorHandler() {
        public void warning(SAXParseException fault) { tell(fault); }
        public void error(SAXParseException fault) { tell(fault); }
        public void fatalError(SAXParseException fault) { tell(fault); }
        private void tell(SAXParseException fault) {
          faults[0]++;
          System.out.println(line(parts) + "\t" + fault.getLineNumber() + ": " + fault.getMessage().replaceAll("\\s+", " "));
        }
      });
      validator.validate(new StreamSource(new File(parts[1])));
      if (faults[0] == 0) System.out.println(line(parts));
    }
  }

  private static String line(String[] parts) {
    return parts[0] + "\t" + parts[1];
  }
}
